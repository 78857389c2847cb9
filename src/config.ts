export { defineCollection, defineOperation, definePlugin } from './greenhouse/own/define.ts'
export type {
  CollectionOptions,
  OperationContext,
  OperationOptions,
  OwnArea,
  OwnAssumption,
  OwnCollection,
  OwnOperation,
  OwnReply,
  PathValues,
  Plugin,
  PluginOptions,
} from './greenhouse/own/definitions.ts'
export type { ArrivedRequest, GreenhouseHooks, HappenedEvent, WorldChanged } from './greenhouse/hooks.ts'
export type { OwnJsonSchema, OwnSchema, ValueOf, ZodSchema } from './greenhouse/own/schema.ts'
