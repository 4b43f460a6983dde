# SPDX-License-Identifier: MIT
"""Drags and clicks in the frame and in the timeline, and the checks that follow them."""
import contextlib

TRIED = "document.getElementById('film').dataset.view !== 'main'"


def scene(items, facts="background: black"):
    """A scene of 640x360 pixels and four seconds."""
    return f"""\
scene film {{
    size: 640x360
    fps: 30
    for: 4s
    {facts}

{items}
}}
"""


def opened(serve, tab, text, address="", *options, **screen):
    """Serves a scene and opens its page."""
    server = serve(text, *options)
    page = tab(**screen).open(server.url + address)
    page.settled()
    return server, page


def point(page, at):
    """The position on the screen of a point of the frame, which is 640 pixels wide."""
    film = page.page.locator("#film").bounding_box()
    k = film["width"] / 640
    return film["x"] + at[0] * k, film["y"] + at[1] * k


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@contextlib.contextmanager
def held(page, keys):
    """Holds keys down."""
    for key in keys:
        page.page.keyboard.down(key)
    yield
    for key in keys:
        page.page.keyboard.up(key)


@contextlib.contextmanager
def dragged(page, start, end, keys=(), steps=6):
    """Drags between positions on the screen. Inside, the page shows the trial; afterward, the button is released."""
    mouse = page.page.mouse
    mouse.move(*start)
    page.settled()
    mouse.down()
    page.settled()
    with held(page, keys):
        mouse.move(*end, steps=steps)
        yield mouse
        mouse.up()


def drag(page, start, end, keys=(), steps=6):
    """Drags between positions on the screen, and waits for the trial before the release."""
    with dragged(page, start, end, keys, steps):
        page.wait(TRIED)
        page.rest()


def pull(page, start, way, keys=(), release=True):
    """Drags from a point of the frame by frame pixels, with keys held, and without snapping."""
    end = point(page, (start[0] + way[0], start[1] + way[1]))
    if release:
        return drag(page, point(page, start), end, ("Control", *keys))
    mouse = page.page.mouse
    mouse.move(*point(page, start))
    page.settled()
    mouse.down()
    with held(page, ("Control", *keys)):
        mouse.move(*end, steps=6)


def click(page, at, keys=()):
    """Clicks a point of the frame."""
    page.page.mouse.move(*point(page, at))
    page.settled()
    with held(page, keys):
        page.page.mouse.click(*point(page, at))
    page.settled()


def undone(page, server, *texts):
    """Undoes one edit for each text, and waits until the file has it."""
    page.settled()
    for text in texts:
        page.page.keyboard.press("Control+z")
        server.holds(text)
        page.settled()
    page.quiet()
