import type * as settings from '../src/api/config/settings.ts'

export function toSettingsTable(module: typeof settings, all: Readonly<Record<string, settings.Setting>>): string
