import type { Insertable } from 'kysely'
import { nameKey } from '../../../contract/fold.ts'
import { addDays } from '../../../contract/pacing.ts'
import type { VisitFilterTable } from '../../db/schema.ts'
import { topMarkets } from '../map.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { DEMO_LOGINS } from '../people.ts'
import { rowOf } from '../rowDefaults.ts'
import { brandsOf, servicesGranted } from '../visitation.ts'

/** Saved filters: three of the demo client user, and one for every fourth other user with a service. */
export const filter = demoNoun({
  tables: ['visit_filters'],
  after: ['brand', 'service', 'user'],
  first: 901,
  example: (nth) => ({ name: `Filter ${nth}`, service_id: null, date_type: 'week', start_dt: null, end_dt: null }),
})

type Saved = Pick<Insertable<VisitFilterTable>, 'name' | 'date_type' | 'start_dt' | 'end_dt' | 'dmas' | 'query'>

export const rows: NounRows<'visit_filters'> = {
  rows(random, market) {
    const { calendar, people, amounts } = market
    const brands = brandsOf(market)
    const [start, end] = [addDays(calendar.today, -24), addDays(calendar.today, -11)]
    const top = topMarkets(25)
    const relative: Saved = { name: 'Last week', date_type: 'week', start_dt: null, end_dt: null, dmas: '', query: 'date=week' }
    const custom: Saved = {
      ...{ name: 'Two weeks of the campaign', date_type: 'custom', start_dt: start, end_dt: end, dmas: '' },
      query: `date=custom&start=${start}&end=${end}`,
    }
    const largest: Saved = {
      ...{ name: 'Top 25 markets', date_type: '30days', start_dt: null, end_dt: null, dmas: top.join(',') },
      query: `date=30days&dmas=${top.join(',')}`,
    }
    const granted = [...servicesGranted(market)]
    const demo = people.users.find(({ email }) => email === DEMO_LOGINS.client)!.id!
    const saved = granted.flatMap(([user_id, services], at) =>
      user_id === demo
        ? [relative, custom, largest].map((one) => ({ user_id, brand: services[0]!.brand, ...one }))
        : at % 4 === 1
          ? [{ user_id, brand: services[0]!.brand, ...random.pick([relative, custom, largest]) }]
          : [],
    )
    return {
      visit_filters: saved.map(({ user_id, brand, ...one }, at) =>
        rowOf('visit_filters', calendar.office(random, addDays(calendar.today, -random.int(2, 9))), {
          ...{ id: amounts.first.filter + at, user_id, brand_id: brands[brand]!.id, service_id: null },
          ...{ ...one, name_key: nameKey(one.name) },
        }),
      ),
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly filter: typeof filter
  }
}
