import { standalonePage } from './scripts/standalone-page.ts'

/** Builds the page of the API. */
export default standalonePage('api-docs.html')
