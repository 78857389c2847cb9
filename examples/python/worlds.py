"""A world for every test, through the control API. Needs a running Greenhouse: greenhouse-mock run -- python3 -m unittest"""

import json
import os
import sys
import unittest
import uuid

import requests

URL = os.environ["GREENHOUSE_URL"]
# A server that other machines reach has one: serve --token.
TOKEN = os.environ.get("GREENHOUSE_TOKEN")


def control(method, path, body=None):
    headers = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    reply = requests.request(method, f"{URL}/__greenhouse{path}", headers=headers, json=body, timeout=10)
    if not reply.ok:
        raise RuntimeError(f"{method} {path}: {reply.status_code} {reply.json()['error']['message']}")
    return reply.json() if reply.content else None


class World:
    def __init__(self, **start):
        self.name = f"t-{uuid.uuid4()}"
        self.plants_url = f"{URL}/~{self.name}"
        self.apps_url = f"{URL}/~{self.name}/v1"
        control("PUT", f"/worlds/{self.name}", start)

    def use(self, *scenarios):
        control("PUT", f"/worlds/{self.name}/scenarios", {"active": list(scenarios)})

    def advance(self, time):
        control("PATCH", f"/worlds/{self.name}/clock", {"advance": time})

    def calls(self, query=""):
        return control("GET", f"/worlds/{self.name}/journal?{query}")["data"]

    def delete(self):
        control("DELETE", f"/worlds/{self.name}")


class WorldTestCase(unittest.TestCase):
    """Gives each test a world. A test that fails prints its requests; a request that names no world makes a test fail."""

    world: World

    def run(self, result=None):
        self.world = World()
        test = getattr(self, self._testMethodName)

        def tell_of_failure():
            try:
                test()
            except Exception as error:
                if not isinstance(error, unittest.SkipTest):
                    print(describe(self.id(), self.world.calls()), file=sys.stderr)
                raise

        setattr(self, self._testMethodName, tell_of_failure)
        try:
            return super().run(result)
        finally:
            self.world.delete()

    def doCleanups(self):
        self.addCleanup(self._expect_no_strays)
        return super().doCleanups()

    def _expect_no_strays(self):
        strays = control("GET", "/worlds/default/journal")["data"]
        if strays:
            control("DELETE", "/worlds/default/journal")
            self.fail(describe("These requests named no world", strays))


def describe(title, calls):
    lines = [
        f"  {call['request']['method']} {call['request']['url']} {call['response']['status']} {json.dumps(call['scenarios'])}"
        for call in calls
    ]
    return "\n".join([f"{title}: {len(calls)} requests", *lines])
