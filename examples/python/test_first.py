import os
import unittest

import requests

PLANTS_BASE_URL = os.environ["PLANTS_BASE_URL"]
KEY = os.environ["GREENHOUSE_KEY_PRO"]


class FirstTest(unittest.TestCase):
    def test_plants_are_listed(self):
        reply = requests.get(
            f"{PLANTS_BASE_URL}/~first/plants",
            headers={"Authorization": f"Bearer {KEY}"},
        )
        self.assertEqual(reply.status_code, 200)
        self.assertEqual(len(reply.json()), 14)
