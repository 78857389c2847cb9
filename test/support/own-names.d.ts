import 'greenhouse-mock'

type Words<Text> = Text extends `${infer Word} ${infer Rest}` ? Word | Words<Rest> : Text

/** The scenarios that tests make for themselves. */
type Own =
  | Words<'another bytes chancy dead-battery departure down empty inline-model it loud one-key own quiet'>
  | Words<'revoked second situation teapot wilted'>

declare module 'greenhouse-mock' {
  interface OwnEvents {
    'sensor.dry': { id: string }
  }
  interface OwnOperations {
    'sensors.get': true
  }
  interface OwnRecordTypes {
    sensors: { id: string; account: string; plant: number; moisture: number; alarm_below: number }
  }
  interface Scenarios extends Record<Own, Record<string, unknown>> {}

  interface OwnPlans {
    team: true
  }
}
