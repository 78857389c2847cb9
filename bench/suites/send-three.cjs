/**
 * What each test sends: a list, a creation, and the list again. @param base the base URL of the
 * plants
 */
exports.sendThree = async (base) => {
  const headers = { authorization: 'Bearer key_pro', 'content-type': 'application/json' }
  const before = await read(await fetch(`${base}/plants?limit=100`, { headers }))
  await read(
    await fetch(`${base}/plants`, { method: 'POST', headers, body: '{"id":9001,"name":"Ficus"}' }),
  )
  const after = await read(await fetch(`${base}/plants?limit=100`, { headers }))
  if (after.length !== before.length + 1)
    throw new Error(`${before.length} plants became ${after.length}`)
}

async function read(response) {
  if (response.status !== 200)
    throw new Error(`${response.url} gave ${response.status}: ${await response.text()}`)
  return response.json()
}
