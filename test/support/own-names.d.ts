import 'greenhouse-mock'

/** The scenarios that tests make for themselves. */
type Own =
  | 'another'
  | 'both'
  | 'bytes'
  | 'chancy'
  | 'dead-battery'
  | 'departure'
  | 'dotted'
  | 'down'
  | 'downgrade'
  | 'empty'
  | 'free-only'
  | 'inline-model'
  | 'it'
  | 'lavish'
  | 'lenient'
  | 'loud'
  | 'moved'
  | 'named'
  | 'narrow'
  | 'one-account'
  | 'one-key'
  | 'own'
  | 'plants-list-200'
  | 'quiet'
  | 'revoked'
  | 'second'
  | 'several'
  | 'situation'
  | 'teapot'
  | 'twice'
  | 'unchecked'
  | 'wilted'
  | 'without'

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
