import type * as z from 'zod/mini'
import type * as settings from '../src/api/config/settings.ts'
import type { faultKinds } from '../src/scenarios/effects/fault.ts'

export function toSettingsTable(module: typeof settings, all: Readonly<Record<string, settings.Setting>>): string
export function defaultOf(module: typeof settings, setting: settings.Setting): string
export function toFaultTable(source: { faultKinds: typeof faultKinds; z: typeof z }): string
