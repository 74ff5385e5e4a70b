import { nameKey } from '../../../contract/foldText.ts'
import { categoryIds } from '../categoryIds.ts'
import { demoNoun, type NounRows } from '../noun.ts'
import { rowOf } from '../rowDefaults.ts'
import { brandsOf } from '../visitation.ts'

/** Brands whose visits are counted (decisions.md 12). */
export const brand = demoNoun({
  tables: ['brands', 'brand_categories'],
  first: 1,
  amount: { test: 3, demo: 6, mid: 60, large: 400 },
  example: (nth, today) => ({ name: `Brand ${nth}`, start_dt: today }),
})

export const rows: NounRows<'brands' | 'brand_categories'> = {
  rows(random, market) {
    const codes = categoryIds()
    const brands = brandsOf(market)
    return {
      brands: brands.map(({ id, name, start }) =>
        rowOf('brands', market.calendar.office(random, start), {
          ...{ id, name, name_key: nameKey(name), status: 'active', start_dt: start },
        }),
      ),
      brand_categories: brands.flatMap(({ id, services }) =>
        [...new Set(services.map(({ sic }) => codes.get(sic)!))].map((category_id) => ({ brand_id: id, category_id })),
      ),
    }
  },
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly brand: typeof brand
  }
}
