import sys

import pytest

from worlds import World, describe


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if report.failed and (world := item.funcargs.get("world")):
        print(describe(item.nodeid, world.calls()), file=sys.stderr)


@pytest.fixture
def world():
    world = World()
    yield world
    world.delete()
