import { withGreenhouse } from './with-greenhouse.ts'

/** A preset for Jest, for a project that configures nothing else. */
export default withGreenhouse({})
