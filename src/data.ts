/**
 * The query language of `@msw/data`, for `world.records.<collection>.find(…)`.
 * @example
 * const query = new Query<Plant>().where({ account: 'acct_pro' }).and({ name: (name) => name.startsWith('F') })
 * world.records.plants.find(query, { orderBy: { name: 'asc' }, take: 3 })
 */
export { Query } from '@msw/data'
