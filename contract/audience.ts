import { z } from 'zod'
import { Id } from './call.ts'
import { editShape, fieldSchema } from './fieldInput.ts'
import { olderFields } from './olderFields.ts'
import { demographicFields, marketFields } from './targetFields.ts'

/** A list of market area codes. */
const Markets = fieldSchema(marketFields.targeted_locations)

/** A list that needs a value, with the same message for none and for nothing sent. */
export const chosen = (list: z.ZodType<string[]>, message: string) =>
  z.preprocess((sent) => sent ?? [], list).refine((values) => values.length > 0, message)

/** Markets as the older forms send them: a comma list or list of codes, or the records of the older lists. */
const OlderMarkets = z
  .union([
    z.string(),
    z.number(),
    z.array(z.union([z.string(), z.number(), z.object({ id: Id })])).max(marketFields.targeted_locations.most),
  ])
  .transform((markets) => (Array.isArray(markets) ? markets.map((one) => (typeof one === 'object' ? one.id : one)) : markets))
  .pipe(Markets)

/**
 * An audience in the older spelling: each field under the name campaigns use and the name the older forms use.
 * Leaves out `children`, which names the child projects of a campaign.
 */
export const OlderAudience = z.object({
  ...editShape(olderFields(demographicFields)),
  targeted_location: OlderMarkets.optional(),
  location_based_ind: z
    .string()
    .trim()
    .toLowerCase()
    .pipe(z.enum(['yes', 'no'], { message: 'must be yes or no' }))
    .optional(),
})
export type OlderAudience = z.output<typeof OlderAudience>
