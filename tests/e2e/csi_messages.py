"""The messages and calls of a .proto file, from protoc's descriptors."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto, EnumDescriptorProto, FieldDescriptorProto, FileDescriptorProto,
    FileDescriptorSet)

Parts = dict[str, set[tuple[object, ...]]]
"""The parts of each message, enum and service, by its name."""


def read(proto: Path) -> Parts:
    """The parts of the file, without options and comments. Raises subprocess.CalledProcessError if
    protoc does not accept the file."""
    with tempfile.NamedTemporaryFile() as output:
        subprocess.run(["protoc", f"--proto_path={proto.parent}",
                        f"--descriptor_set_out={output.name}", proto.name], check=True)
        [file] = FileDescriptorSet.FromString(Path(output.name).read_bytes()).file
    return dict(_parts(file))


def _parts(file: FileDescriptorProto) -> Iterator[tuple[str, set[tuple[object, ...]]]]:
    for enum in file.enum_type:
        yield _enum(file.package, enum)
    for message in file.message_type:
        yield from _message(file.package, message)
    for service in file.service:
        yield f"{file.package}.{service.name}", {
            (call.name, call.input_type, call.output_type, call.client_streaming,
             call.server_streaming) for call in service.method}


def _message(scope: str, message: DescriptorProto) -> Iterator[tuple[str, set[tuple[object, ...]]]]:
    name = f"{scope}.{message.name}"

    def oneof(field: FieldDescriptorProto) -> str:
        return message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else ""

    yield name, {(field.name, field.number, field.label, field.type, field.type_name, oneof(field))
                 for field in message.field}
    for enum in message.enum_type:
        yield _enum(name, enum)
    for nested in message.nested_type:
        yield from _message(name, nested)


def _enum(scope: str, enum: EnumDescriptorProto) -> tuple[str, set[tuple[object, ...]]]:
    return f"{scope}.{enum.name}", {(value.name, value.number) for value in enum.value}
