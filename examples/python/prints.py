"""Two tests that fail, and one that passes, to show what is printed."""

import requests

from worlds import URL, WorldTestCase

HEADERS = {"Authorization": "Bearer key_pro"}


class Prints(WorldTestCase):
    def test_fails_and_prints_its_requests(self):
        self.world.use("server-error")
        reply = requests.get(f"{self.world.apps_url}/apps", headers=HEADERS, timeout=10)
        self.assertEqual(reply.status_code, 200)

    def test_forgets_its_world(self):
        requests.get(f"{URL}/plants", headers=HEADERS, timeout=10)

    def test_passes(self):
        reply = requests.get(f"{self.world.apps_url}/apps", headers=HEADERS, timeout=10)
        self.assertEqual(reply.status_code, 200)
