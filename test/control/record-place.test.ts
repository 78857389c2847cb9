import { expect } from 'vitest'
import { testControl, expectControlError } from '../support/control.ts'

const plants = '/worlds/default/records/plants'

testControl('a record that was deleted gets its place in the order back', async ({ control, greenhouse }) => {
  const ids = () =>
    greenhouse
      .world()
      .records.plants.all()
      .map(({ id }) => id)
  const before = ids()
  const { body } = await control('GET', `${plants}?limit=3&offset=1&places=true`)
  expect(body.places).toHaveLength(3)
  for (const { id } of body.data) await control('DELETE', `${plants}/${id}`)
  for (const index of [2, 0, 1])
    expect((await control('POST', `${plants}?place=${body.places[index]}`, body.data[index])).status).toBe(201)
  expect(ids()).toEqual(before)
})

testControl(
  'a place that is taken, or that there never was, makes the record the newest',
  async ({ control, greenhouse }) => {
    const { places } = (await control('GET', `${plants}?limit=1&places=true`)).body
    const add = (id: number, place: number) =>
      control('POST', `${plants}?place=${place}`, { id, name: 'Fern', account: 'acct_pro' })
    for (const [id, place] of [
      [71, places[0]],
      [72, 0],
      [73, 999_999_999],
    ] as const) {
      expect((await add(id, place)).status).toBe(201)
      expect(greenhouse.world().records.plants.all().at(-1)!.id).toBe(id)
    }
    expectControlError(
      await control('POST', `${plants}?place=-1`, {}),
      400,
      'invalid_request',
      /place: expected a place/,
    )
    expectControlError(await control('POST', `${plants}?before=1`, {}), 400, 'invalid_request')
    expect((await control('GET', `${plants}?limit=1`)).body.places).toBeUndefined()
  },
)
