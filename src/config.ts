export { defineConfig } from './api/config/define.ts'
export { defineCollection, defineOperation, definePlugin } from './custom/define.ts'
