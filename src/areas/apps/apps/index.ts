import { defineResource } from '../declare.ts'
import { appChangesSchema, apps, appSchema, newAppSchema } from './schemas.ts'
import { createApp } from './operations/create.ts'
import { deleteApp } from './operations/delete.ts'
import { getApp } from './operations/get.ts'
import { listApps } from './operations/list.ts'
import { updateApp } from './operations/update.ts'

export const appResource = defineResource({
  operations: [listApps, createApp, getApp, updateApp, deleteApp],
  eventSchemas: { 'app.created': appSchema, 'app.updated': appSchema, 'app.deleted': appSchema },
  collections: { apps },
  schemas: { App: appSchema, NewApp: newAppSchema, AppChanges: appChangesSchema },
})
