import { isDevMode } from '@angular/core'
import { bootstrapApplication } from '@angular/platform-browser'
import { App } from './app/app'
import { appConfig } from './app/app.config'

if (isDevMode()) await import('./mock')

bootstrapApplication(App, appConfig).catch((error) => console.error(error))
