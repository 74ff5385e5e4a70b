import { standalonePage } from './scripts/standalone-page.ts'
import { virtualCalls } from './scripts/virtual-calls.ts'

/** Builds the partners' pages. */
export default standalonePage('partner.html', [virtualCalls()])
