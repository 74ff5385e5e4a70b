import { nameKey } from '../../../contract/foldText.ts'
import { categoryIds } from '../categoryIds.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { later } from '../people.ts'
import { rowOf } from '../rowDefaults.ts'
import { brandsOf, servicesGranted } from '../visitation.ts'

/** Services of brands with their venues, and the client users who have access. */
export const service = demoNoun({
  tables: ['services', 'venues', 'service_users'],
  after: ['brand', 'user'],
  first: 1,
  amount: { test: 9, demo: 18, mid: 180, large: 1200 },
  example: (nth, today) => ({ name: `Service ${nth}`, category_id: null, start_dt: today }),
})

export const rows: NounRows<'services' | 'venues' | 'service_users'> = {
  rows(random, market) {
    const { calendar, people } = market
    const codes = categoryIds()
    const since = new Map(people.users.map((user) => [user.id!, user.created_at]))
    const brands = brandsOf(market)
    const services = brands.flatMap((brand) => brand.services.map((one) => ({ ...one, brand_id: brand.id })))
    return {
      services: services.map(({ id, brand_id, name, sic, start, end, ordered, status }) =>
        rowOf('services', calendar.office(random, start), {
          ...{ id, brand_id, name, name_key: nameKey(name), category_id: codes.get(sic)! },
          s3_bucket: `s3://fieldwork-visits/${brand_id}/${id}`,
          ...{ start_dt: start, end_dt: end, ordered, completed: 0, first_day: null, last_at: null, status },
        }),
      ),
      venues: services.flatMap((one) =>
        one.venues.map(({ weight: _, service: service_id, ...venue }) =>
          rowOf('venues', calendar.office(random, venue.since), { ...venue, service_id, placed: 'given' }),
        ),
      ),
      service_users: [...servicesGranted(market)].flatMap(([user_id, granted]) =>
        granted.map(({ id, start }) => {
          const at = calendar.office(random, start)
          const made = since.get(user_id)!
          return { service_id: id, user_id, added_at: later(at, made), added_by: people.admins[0] ?? null }
        }),
      ),
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly service: typeof service
  }
}
