"""Talks to `gatewalk mcp` with the protocol's own Python client: mcp_client.py PROGRAM REPOSITORY (for tests)."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters, types
from mcp.client.stdio import stdio_client

program, repository = sys.argv[1:]


async def agrees(context, params):
    return types.ElicitResult(action="accept", content={"approve": True})


async def talk(elicitation):
    server = StdioServerParameters(command=program, args=["-C", repository, "mcp"])
    async with stdio_client(server) as (read, write):
        async with ClientSession(read, write, elicitation_callback=elicitation) as session:
            await session.initialize()
            names = [tool.name for tool in (await session.list_tools()).tools]
            assert "status" in names and "loop" not in names, names
            status = await session.call_tool("status", {})
            assert not status.is_error and json.loads(status.content[0].text), status
            decided = await session.call_tool("abandon", {"name": "T04", "reason": "tried"})
            return decided.is_error, decided.content[0].text


failed, text = asyncio.run(talk(None))
assert failed and text.startswith("refused"), text
failed, text = asyncio.run(talk(agrees))
assert not failed, text
