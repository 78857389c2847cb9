import { worldNameRule } from '../core/http/urls.ts'

/** The parameters of paths, by the segment before them. */
const pathParameters: Readonly<Record<string, string>> = {
  'worlds/{world}': `The name of a world, such as default: ${worldNameRule}.`,
  'snapshots/{snapshot}': `The name of a snapshot: ${worldNameRule}.`,
  'scenarios/{scenario}': 'The name of a scenario.',
  'records/{collection}': 'The name of a collection.',
  'export/{collection}': 'The name of a collection.',
  '{collection}/{id}': 'The id of a record; of a key, its name or fingerprint.',
  'journal/{id}': 'The id of an entry. The first one is 1.',
  'accounts/{id}': 'The id of an account.',
  'webhooks/{id}': 'The id of a webhook.',
  'deliveries/{id}': 'The id of a delivery.',
}

/** Says what a parameter of an action's path is. */
export function describeParameter(path: string, name: string): string | undefined {
  const segments = path.split('/')
  const at = segments.indexOf(`{${name}}`)
  return pathParameters[`${segments[at - 1]}/${segments[at]}`]
}
