from client import BudgetSpent, Client, KeyRejected
from worlds import WorldTestCase


class PlantsTest(WorldTestCase):
    def client(self, key="key_pro"):
        client = Client(self.world.plants_url, self.world.apps_url, key)
        self.addCleanup(client.close)
        return client

    def test_a_plant_that_was_added_is_listed(self):
        client = self.client("key_lite")
        client.add_plant({"id": 1001, "name": "Ficus"})
        self.assertEqual([plant["name"] for plant in client.plants()], ["Ficus"])
        self.assertEqual(len(self.world.calls("operation=plants.create&status=200")), 1)

    def test_nothing_of_the_other_tests_is_here(self):
        self.assertEqual(self.client("key_lite").plants(), [])

    def test_an_expired_key_is_not_tried_again(self):
        self.world.use("expired-key")
        with self.assertRaises(KeyRejected):
            self.client().plants()
        self.assertEqual(len(self.world.calls()), 1)

    def test_the_next_minute_has_requests_again(self):
        self.world.use("rate-limited-plan")
        client = self.client("key_free")
        with self.assertRaises(BudgetSpent):
            client.app_names()
        self.world.advance("1m")
        self.assertIn("plant-doctor", client.app_names())
