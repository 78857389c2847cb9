import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createGreenhouse } from 'greenhouse-mock'
import { runVariants } from '../../src/contract/flip/index.ts'
import { run } from '../support/cli.ts'
import { writeFolder } from '../support/folder.ts'

const variants = createGreenhouse().variants({ only: ['plants.*'] })
const signal = new AbortController().signal
const ended = (isBroken: boolean, hasHung = false) =>
  Promise.resolve({ code: isBroken ? 1 : 0, ms: 1, hasHung, line: undefined, output: '' })

/** Flips a command that is played, and counts its runs. */
async function flip(fails: (title: string | undefined) => boolean, hangs = false) {
  const counts = { variants: 0, asIs: 0 }
  const { results, isFlaky } = await runVariants(variants, {
    consulted: undefined,
    parallel: 2,
    signal,
    run: ({ title }) => {
      counts.variants++
      const isBroken = fails(title)
      return ended(isBroken, isBroken && hangs)
    },
    runAsIs: () => {
      counts.asIs++
      return ended(fails(undefined))
    },
  })
  const withOutcome = (outcome: string) =>
    results.filter((one) => one.outcome === outcome).map(({ variant }) => variant.title)
  return { breaks: [...withOutcome('breaks'), ...withOutcome('hung')], flaky: withOutcome('flaky'), isFlaky, counts }
}

/** A coin that falls on one side so often; it is the same each time for a seed. */
function createCoin(chance: number, seed: number) {
  let state = seed * 7_919 + 17
  return () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647 < chance
  }
}

test.each([0.4, 0.6])('a coin that fails %d of its runs depends on nothing: it is flaky', async (chance) => {
  const flips = await Promise.all(Array.from({ length: 200 }, (_, seed) => flip(createCoin(chance, seed + 1))))
  expect(flips.filter(({ breaks }) => breaks.length > 0).length).toBeLessThanOrEqual(2)
  expect(flips.filter(({ isFlaky }) => isFlaky).length).toBeGreaterThan(190)
})

test('a breaking variant fails three times, and the command passes unchanged in between', async () => {
  const [one, other] = [variants[1]!.title, variants[5]!.title]
  const { breaks, flaky, isFlaky, counts } = await flip((title) => title === one || title === other)
  expect({ breaks, flaky, isFlaky }).toEqual({ breaks: [one, other], flaky: [], isFlaky: false })
  expect(counts).toEqual({ variants: variants.length + 4, asIs: 2 })
})

test('what hangs runs once more', async () => {
  const one = variants[1]!.title
  const { breaks, counts } = await flip((title) => title === one, true)
  expect([breaks, counts]).toEqual([[one], { variants: variants.length + 1, asIs: 1 }])
})

test('a command that depends on everything is not run as it is for each', async () => {
  const { breaks, counts } = await flip((title) => title !== undefined)
  expect(breaks).toHaveLength(variants.length)
  expect(counts.asIs).toBe(8)
})

test('a variant that fails and then passes is flaky, and the others keep their outcome', async () => {
  const [one, other] = [variants[1]!.title, variants[5]!.title]
  let tries = 0
  const { breaks, flaky, isFlaky } = await flip((title) => title === other || (title === one && ++tries < 3))
  expect({ breaks, flaky, isFlaky }).toEqual({ breaks: [other], flaky: [one], isFlaky: false })
})

test('the command says which variant is flaky, and exits with 1', async () => {
  const file = join(writeFolder({}), 'runs')
  // Every second run fails.
  const script = `
    const fs = await import('node:fs')
    await fetch(process.env.PLANTS_BASE_URL + '/plants', { headers: { authorization: 'Bearer ' + process.env.GREENHOUSE_KEY_PRO } })
    fs.appendFileSync(process.argv[1], '.')
    if (fs.readFileSync(process.argv[1], 'utf8').length % 2 === 0) throw new Error('out of luck')`
  const command = ['--', process.execPath, '--input-type=module', '-e', script, file]
  const { code, stdout, stderr } = await run(['flip', '--only', 'plants.list.order', ...command])
  expect(code).toBe(1)
  expect(stdout).toMatch(/^plants\.list\.order +created +newest +flaky +Error: out of luck$/m)
  expect(stdout).toContain(
    'No unstated behaviour breaks the command every time.\n2 variants ran: 0 broke the command, 0 hung, 2 failed by chance, 0 held.',
  )
  expect(stderr).toContain('plants.list.order=newest flaky: Error: out of luck')
})
