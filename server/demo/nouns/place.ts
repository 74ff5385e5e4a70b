import { demoNoun, type NounRows } from '../noun.ts'

export const place = demoNoun({
  tables: ['places'],
  first: 7001,
  example: (nth) => ({ name: `Store #${nth}` }),
})

export const rows: NounRows<'places'> = { rows: (_, { places }) => ({ places: places.places }) }

declare module '../figures.ts' {
  interface DemoNouns {
    readonly place: typeof place
  }
}
