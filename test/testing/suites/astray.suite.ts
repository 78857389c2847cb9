import { afterAll } from 'vitest'
import { createTest, type TestHost } from 'greenhouse-mock/vitest'
import { ask } from './team-server.ts'

const test = createTest({ strict: true })
let host: TestHost

test('passes itself', ({ greenhouseHost }) => void (host = greenhouseHost))

afterAll(async () => void (await ask(`${host.apps}/apps`, 'key_pro')))
