# SPDX-License-Identifier: MIT
"""Waiting for conditions.

No other test code sleeps. A test names the condition that it waits for. The limit is far above what a busy
machine needs, so a test that reaches it has found a bug.
"""
import asyncio
import time

LIMIT = 90


def until(condition, what, seconds=LIMIT, interval=0.02):
    """Returns the first true value of `condition()`. Fails after `seconds` with the name of the condition:
    `what` is a noun phrase, or a function that returns one."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise late(what, seconds)
        time.sleep(interval)
    return value


async def until_async(condition, what, seconds=LIMIT, interval=0.02):
    """The same for a condition that is a coroutine function."""
    end = time.monotonic() + seconds
    while not (value := await condition()):
        if time.monotonic() > end:
            raise late(what, seconds)
        await asyncio.sleep(interval)
    return value


def late(what, seconds):
    """The error of a wait that exceeded its limit."""
    return AssertionError(f"waited {seconds} s for {what() if callable(what) else what}")


def pause(seconds):
    """Spreads the input of a test over time. No result may depend on how long it takes."""
    time.sleep(seconds)
