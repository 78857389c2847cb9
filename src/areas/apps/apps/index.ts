import { createApp } from './operations/create.ts'
import { deleteApp } from './operations/delete.ts'
import { getApp } from './operations/get.ts'
import { listApps } from './operations/list.ts'
import { updateApp } from './operations/update.ts'

/** What can be done with apps. */
export const appOperations = [listApps, createApp, getApp, updateApp, deleteApp]
