/** The work of every cell: sends a request to each API, and returns a summary of the replies. */
export async function ask(plants, apps, headers = { Authorization: 'Bearer key_pro' }) {
  const responses = await Promise.all([
    fetch(`${plants}/plants?limit=1`, { headers }),
    fetch(`${apps}/apps?limit=1`, { headers }),
  ])
  const [some, page] = await Promise.all(responses.map((response) => response.json()))
  return {
    statuses: responses.map(({ status }) => status),
    plants: some.length,
    apps: page.data.length,
  }
}

export const expected = { statuses: [200, 200], plants: 1, apps: 1 }
export const bases = { plants: 'https://plants.test', apps: 'https://apps.test/v1' }
