import { chooseFile, toast, toPlural } from '../components/index.ts'
import type { Panel } from '../data/panel.ts'
import type { OpenedCase } from '../data/shapes.ts'

/** The largest file to open, in characters: a call of the control API takes no more. */
const longest = 2 ** 20 - 2 ** 12

export async function openCase({ api, world, router }: Panel): Promise<void> {
  const file = await chooseFile('.yaml,.yml,.json,.har')
  if (!file) return
  const text = await file.text()
  if (text.length > longest)
    throw new Error(`${file.name} is larger than 1 MiB. Open it with: greenhouse-mock serve --case ${file.name}`)
  const name = freeWorldName(file.name, world.worlds.peek())
  const opened = await api.openCase(name, file.name, text)
  await world.refresh()
  router.go({ view: 'traffic', params: { world: name }, rest: [] })
  toast({ text: describe(file.name, opened), ...(opened.differences.length > 0 && { kind: 'failed' as const }) })
}

function freeWorldName(file: string, taken: readonly string[]): string {
  const name =
    file
      .replace(/(\.case)?\.(ya?ml|json|har)$/i, '')
      .replaceAll(/[^\w.-]+/g, '-')
      .slice(0, 50) || 'case'
  let free = name
  for (let number = 2; taken.includes(free); number++) free = `${name}-${number}`
  return free
}

function describe(file: string, { title, requests, left_out, differences }: OpenedCase): string {
  const what = `Opened ${title ?? file}: ${toPlural(requests, 'request')}${left_out > 0 ? `, ${left_out} for other services left out` : ''}`
  const [first] = differences
  return first
    ? `${what}. Here ${first.request} is answered differently: ${first.field}`
    : `${what}, answered as recorded`
}
