"""Servers for repositories of restic, on the loopback of a node.

    with S3Store(node, "/mnt/versitygw") as store:
        store.location("somewhere"), store.credentials
"""

from .place import Place
from .programs import put_programs
from .relay import SlowRelay
from .rest import RestStore
from .s3 import S3Store

__all__ = ["Place", "RestStore", "S3Store", "SlowRelay", "put_programs"]
