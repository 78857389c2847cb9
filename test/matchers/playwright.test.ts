import { expect as playwrightExpect } from '@playwright/test'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { greenhouseMatchers } from 'greenhouse-mock/matchers'
import { expect as withMatchers } from 'greenhouse-mock/playwright'

async function ask(path: string) {
  const greenhouse = createGreenhouse()
  await greenhouse.fetch(new Request(`http://any${path}`, { headers: { authorization: 'Bearer key_pro' } }))
  return greenhouse.world()
}

test.each([
  ['of greenhouse-mock/playwright', withMatchers],
  ['extended with greenhouseMatchers', playwrightExpect.extend(greenhouseMatchers)],
])("Playwright's expect %s has the matcher", async (_, extended) => {
  const clean = await ask('/v1/apps?limit=3')
  const broken = await ask('/v1/apps?limt=3')
  extended(clean).toHaveNoViolations()
  extended(broken).not.toHaveNoViolations()
  extended(broken).toHaveNoViolations({ ignore: ['unknown-query'] })
  expect(() => extended(broken).toHaveNoViolations()).toThrow(
    'Expected no request to break the contract:\n\n  GET /v1/apps?limt=3  apps.list\n    unknown-query: "limt" is not a query parameter of this operation. Did you mean "limit"?',
  )
  expect(() => extended(clean).not.toHaveNoViolations()).toThrow('Expected a request to break the contract')
})
