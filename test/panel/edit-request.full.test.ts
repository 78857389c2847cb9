import { expect, test } from 'vitest'
import { describePanel, findBarriers } from '../support/panel.ts'

describePanel('a recorded request that is edited and sent', (open) => {
  test('begins as it was, with its key by name, and its new entry is shown', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    await send('/plants?tag=tree', {
      method: 'POST',
      body: '{"id":9007199254740993,"name":"Ficus"}',
      headers: { 'x-request-id': 'mine' },
    })
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Edit and send again' }).click()
    const form = page.getByRole('dialog', { name: 'Edit and send again' })
    const input = (name: string) => form.getByRole('textbox', { name: new RegExp(`^${name}`) })
    expect(await input('Method').inputValue()).toBe('POST')
    expect(await input('Path').inputValue()).toBe('/plants?tag=tree')
    const headers = await input('Headers').inputValue()
    expect(headers).toContain('authorization: Bearer key_pro')
    expect(headers).toContain('x-request-id: mine')
    expect(await input('Body').inputValue()).toBe('{"id":9007199254740993,"name":"Ficus"}')
    expect(await findBarriers(page)).toEqual([])
    await input('Path').fill('/plants?tag=none')
    await input('Headers').fill(headers.replace('mine', 'yours'))
    await input('Body').fill('{"id":9007199254740995,"name":"Ficus"}')
    await form.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
    const [first, sent] = greenhouse.world().journal.calls()
    expect(sent!.request).toMatchObject({
      method: 'POST',
      url: '/plants?tag=none',
      body: '{"id":9007199254740995,"name":"Ficus"}',
    })
    expect(sent!.request.headers).toMatchObject({ 'x-request-id': 'yours' })
    expect(sent!.request.headers['authorization']).toBe(first!.request.headers['authorization'])
    expect(greenhouse.world().records.plants.get(9007199254740995n)).toBeDefined()
  })

  test('is sent to the world that it was sent to', async () => {
    const { page, greenhouse } = await open('#/traffic/1?world=shop', {
      before: (made) =>
        made.fetch(
          new Request('http://any/nowhere', {
            headers: { authorization: 'Bearer key_pro', 'x-greenhouse-world': 'shop' },
          }),
        ),
    })
    await page.getByRole('button', { name: 'Edit and send again' }).click()
    await page.getByLabel('Path', { exact: true }).fill('/plants')
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
    expect(
      greenhouse
        .world('shop')
        .journal.calls()
        .map(({ response }) => response.status),
    ).toEqual([404, 200])
    expect(greenhouse.world().journal.size).toBe(0)
  })

  test('is not sent while it lacks its key, or can not be sent at all: it says why', async () => {
    const { page, greenhouse, send } = await open('#/traffic')
    await send('/plants', { key: 'sk_0123456789abcdef' })
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Edit and send again' }).click()
    const form = page.getByRole('dialog', { name: 'Edit and send again' })
    const press = () => form.getByRole('button', { name: 'Send' }).click()
    const input = (name: string) => form.getByRole('textbox', { name: new RegExp(`^${name}`) })
    await press()
    await form.getByText('replace $KEY with yours').waitFor()
    await input('Headers').fill('authorization Bearer key_pro')
    await press()
    await form.getByText('Write “authorization Bearer key_pro” as “name: value”.').waitFor()
    await input('Headers').fill('authorization: Bearer key_pro')
    await input('Path').fill('//elsewhere.test/plants')
    await press()
    await form.getByText('Write a path such as').waitFor()
    await input('Path').fill('/plants')
    await input('Body').fill('{}')
    await press()
    await form.getByText('GET/HEAD').waitFor()
    expect(greenhouse.world().journal.size).toBe(1)
    await input('Body').fill('')
    await press()
    await page.getByRole('complementary', { name: 'Request 2' }).waitFor()
  })

  test('is refused where the journal has not all of its body', async () => {
    const { page, send } = await open('#/traffic')
    await send('/plants', { method: 'POST', body: JSON.stringify({ id: 1, name: 'x'.repeat(100_000) }) })
    await page.locator('.virtual-row').click()
    await page.getByRole('button', { name: 'Edit and send again' }).click()
    await page.getByText('The journal did not keep the whole request: what you edit would be another one.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
