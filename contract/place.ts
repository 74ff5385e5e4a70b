import { z } from 'zod'
import { call, listOf } from './call.ts'

const Named = z.object({ id: z.number(), name: z.string() })
const Area = z.object({
  dma_code: z.number(),
  dma_name: z.string(),
  rank: z.number().nullable(),
  latitude: z.number().optional(),
  longitude: z.number().optional(),
})

/** Market areas that can be targeted; location.ts has the locations. */
export const placeCalls = {
  'dma.list': call({
    method: 'GET',
    path: '/v3/portal/dma/list',
    about: 'Lists the 210 market areas, with their rank by television homes among the first 50 and their main city’s position.',
    input: z.object({}),
    output: listOf(Area).extend({ dmas: z.array(Area) }),
  }),
  'market.list': call({
    method: 'GET',
    path: '/v1/target_markets',
    about: 'Lists the target markets of the older forms.',
    input: z.object({}),
    output: z.object({ data: z.object({ count: z.number(), target_markets: z.array(Named) }) }),
  }),
  'target.list': call({
    method: 'GET',
    path: '/v3/portal/locations/all/target',
    about: 'Lists targets by ID and name.',
    input: z.object({}),
    output: listOf(Named).extend({ targets: z.array(Named) }),
  }),
} as const
