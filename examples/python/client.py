"""A client as an application has it: it knows nothing of mocks."""

import requests


class KeyRejected(Exception):
    """The key is not accepted: retrying is of no use."""


class BudgetSpent(Exception):
    """The plan's requests are spent."""

    def __init__(self, retry_after_seconds):
        super().__init__(f"No requests left. Try again in {retry_after_seconds} seconds.")
        self.retry_after_seconds = retry_after_seconds


class Client:
    def __init__(self, plants_url, apps_url, key):
        self.plants_url = plants_url
        self.apps_url = apps_url
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {key}"

    def plants(self):
        return self._call("GET", f"{self.plants_url}/plants")

    def add_plant(self, plant):
        return self._call("POST", f"{self.plants_url}/plants", json=plant)

    def app_names(self):
        return [app["name"] for app in self._call("GET", f"{self.apps_url}/apps")["data"]]

    def close(self):
        self.session.close()

    def _call(self, method, url, **options):
        reply = self.session.request(method, url, timeout=10, **options)
        if reply.status_code == 401:
            raise KeyRejected(f"{method} {url}: the key was rejected.")
        if reply.status_code == 429:
            raise BudgetSpent(int(reply.headers["Retry-After"]))
        reply.raise_for_status()
        return reply.json()
