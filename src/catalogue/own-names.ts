/**
 * Your own scenarios: their options, by name. Declare them so that TypeScript knows their names;
 * `npx greenhouse-mock types scenarios` prints the declaration.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface Scenarios {
 *     'out-of-pots': { size?: number }
 *   }
 * }
 */
export interface Scenarios {}

/**
 * Your own operations, by id. Declare them so that TypeScript knows their ids in scenarios, the
 * journal and matchers.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface OwnOperations {
 *     'plants.water': true
 *   }
 * }
 */
export interface OwnOperations {}

/**
 * Your own events: their data, by type. Declare them so that TypeScript knows them in
 * `world.trigger`.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface OwnEvents {
 *     'plant.watered': { id: number }
 *   }
 * }
 */
export interface OwnEvents {}

/**
 * Your own assumptions: their values, by id. Declare them so that TypeScript knows them.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface OwnAssumptions {
 *     'plants.water.amount': '10' | '50'
 *   }
 * }
 */
export interface OwnAssumptions {}

/**
 * The types of your own collections' records. Declare them so that TypeScript knows
 * `world.records.waterings`.
 * @example
 * declare module 'greenhouse-mock' {
 *   interface OwnRecordTypes {
 *     waterings: { id: string; plant: number }
 *   }
 * }
 */
export interface OwnRecordTypes {}
