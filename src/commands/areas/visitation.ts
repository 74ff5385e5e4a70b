import { commandsIn } from '../commandsIn.ts'

/** Brands, services, saved filters and visits. */
export const commands = commandsIn(import.meta.glob('../visitation/*.ts', { eager: true }), 'brand')
