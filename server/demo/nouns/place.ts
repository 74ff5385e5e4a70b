import { demoNoun, type NounRows } from '../noun.ts'
import { listedPlaces } from '../places.ts'

export const place = demoNoun({
  tables: ['places'],
  first: 7001,
  example: (nth) => ({ name: `Store #${nth}` }),
})

export const rows: NounRows<'places'> = {
  rows: (_, { seed, people, places: { places, listed } }) => ({
    places: [...places, ...listedPlaces(seed, listed, people.clients[listed.client]!.name)],
  }),
}

declare module '../demoNoun.ts' {
  interface DemoNouns {
    readonly place: typeof place
  }
}
