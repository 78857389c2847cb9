import { visit } from '../visit'

export const load = async () => ({ visits: await visit() })
