import { z } from 'zod'
import { Id } from './call.ts'
import { editShape, fieldSchema, inAnyCase } from './fieldInput.ts'
import { NOT_A_LIST } from './fieldKinds.ts'
import { olderFields } from './olderFields.ts'
import { demographicFields, marketFields } from './targetFields.ts'

/** Yes or no, in any case. */
export const LocationBased = inAnyCase(marketFields.location_based)
/** A list of market area codes. */
const Markets = fieldSchema(marketFields.targeted_locations)

/** A list that needs a value, with the same message for none and for nothing sent. */
export const chosen = (list: z.ZodType<string[]>, message: string) =>
  z.preprocess((sent) => sent ?? [], list).refine((values) => values.length > 0, { error: message, params: { code: 'required' } })

/** Markets as the older forms send them: a comma list or list of codes, or the records of the older lists. */
const OlderMarkets = z
  .union(
    [
      z.string(),
      z.number(),
      z.array(z.union([z.string(), z.number(), z.object({ id: Id })])).max(marketFields.targeted_locations.most),
    ],
    NOT_A_LIST,
  )
  .transform((markets) => (Array.isArray(markets) ? markets.map((one) => (typeof one === 'object' ? one.id : one)) : markets))
  .pipe(Markets)

/**
 * An audience in the older spelling: each field under the name campaigns use and the name the older forms use.
 * Leaves out `children`, which names the child projects of a campaign.
 */
export const OlderAudience = z.object({
  ...editShape(olderFields(demographicFields)),
  targeted_location: OlderMarkets.optional(),
  location_based_ind: LocationBased.optional(),
})
export type OlderAudience = z.output<typeof OlderAudience>
