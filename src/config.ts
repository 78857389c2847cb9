export { defineConfig } from './api/config/settings.ts'
export { defineCollection, defineOperation, definePlugin } from './custom/define.ts'
export { parseScenarios } from './files/parse-scenarios.ts'
