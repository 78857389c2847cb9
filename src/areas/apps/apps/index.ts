import { createApp } from './create.ts'
import { deleteApp } from './delete.ts'
import { getApp } from './get.ts'
import { listApps } from './list.ts'
import { updateApp } from './update.ts'

/** What can be done with apps. */
export const appOperations = [listApps, createApp, getApp, updateApp, deleteApp]
