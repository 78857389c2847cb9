/** The names that TypeScript reads from the options of a Greenhouse. */
export interface OwnNames {
  /** The options of your scenarios, by name. */
  readonly scenarios: object
  /** The records of your collections, by name. */
  readonly records: object
}

/** The names of a Greenhouse without own scenarios and collections. */
export interface NoNames extends OwnNames {
  readonly scenarios: {}
  readonly records: {}
}

/**
 * The options that name what is yours. TypeScript reads the names of scenarios from an object in
 * code; it cannot read those of a folder.
 */
export interface NamingOptions<Scenarios, Collections, Plugins> {
  scenarios?: Scenarios | undefined
  collections?: Collections | undefined
  plugins?: Plugins | undefined
}

/** Scenarios by name, as the option `scenarios` takes them. */
export type WrittenScenarios = Readonly<Record<string, object>>

/** A collection that says its name and the type of its records. */
interface NamedCollection {
  readonly name: string
  readonly record?: object
}

/** A plug-in that says what its scenarios and collections are called. */
interface NamingPlugin {
  readonly names?: OwnNames
}

/** The names in `scenarios`, `collections` and `plugins`. */
export interface NamesOf<
  Scenarios extends WrittenScenarios,
  Collections extends readonly NamedCollection[],
  Plugins extends readonly NamingPlugin[],
> {
  readonly scenarios: OptionsByScenario<Scenarios> & Joined<NamesIn<Plugins>['scenarios']>
  readonly records: RecordsByName<Collections> & Joined<NamesIn<Plugins>['records']>
}

type NamesIn<Plugins extends readonly NamingPlugin[]> = NonNullable<Plugins[number]['names']>

type OptionsByScenario<Scenarios> = {
  readonly [Name in keyof Scenarios as string extends Name ? never : Name]: OptionsIn<
    Scenarios[Name]
  >
}

/** A scenario whose members TypeScript does not know may have any options. */
type OptionsIn<Scenario> = Scenario extends { readonly options: infer Declared }
  ? { readonly [Option in keyof Declared]?: string | number | boolean }
  : object extends Scenario
    ? { readonly [option: string]: unknown }
    : {}

type RecordsByName<Collections extends readonly NamedCollection[]> = {
  readonly [
    One in Collections[number] as string extends One['name'] ? never : One['name']
  ]: NonNullable<One['record']>
}

/** Has the members of all types of a union. */
type Joined<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
