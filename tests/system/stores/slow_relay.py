"""Forwards TCP connections, with a limited speed in one direction.

    python3 slow_relay.py PORT UPSTREAM RATE

listens on PORT of 127.0.0.1 and connects each client to UPSTREAM there. All connections together
send at most RATE bytes per second to UPSTREAM. Responses have no limit.
"""

from __future__ import annotations

import asyncio
import sys

_PIECE = 16 << 10


class Gate:
    """Limits the bytes per second."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._free = 0.0

    async def wait(self, count: int) -> None:
        now = asyncio.get_running_loop().time()
        self._free = max(self._free, now) + count / self._rate
        await asyncio.sleep(self._free - now)


async def _pump(source: asyncio.StreamReader, target: asyncio.StreamWriter,
                gate: Gate | None) -> None:
    try:
        while data := await source.read(_PIECE):
            if gate:
                await gate.wait(len(data))
            target.write(data)
            await target.drain()
        target.write_eof()
    except OSError:
        target.close()


async def _serve(port: int, upstream: int, rate: int) -> None:
    gate = Gate(rate)

    async def connected(client: asyncio.StreamReader, answers: asyncio.StreamWriter) -> None:
        try:
            server, requests = await asyncio.open_connection("127.0.0.1", upstream)
        except OSError:
            answers.close()
            return
        await asyncio.gather(_pump(client, requests, gate), _pump(server, answers, None))
        requests.close()
        answers.close()

    listener = await asyncio.start_server(connected, "127.0.0.1", port, limit=_PIECE)
    async with listener:
        await listener.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve(*map(int, sys.argv[1:4])))
