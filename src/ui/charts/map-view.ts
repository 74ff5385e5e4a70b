/** Points are clustered up to this zoom (projects-area 9). */
export const CLUSTERED_TO = 8
/** The main city of a market area. */
export interface City {
  code: number
  lng: number
  lat: number
}
/** The address of the market areas around these cities, which outlines.ts draws. */
export const areasAddress = (cities: readonly City[]): string =>
  `outlines://areas?${cities.map(({ code, lng, lat }) => [code, lng, lat].join()).join(';')}`
/** The shade of an area: a tone and its strength from 0 to 1. */
export interface Shade {
  tone: 'accent' | 'green' | 'red'
  strength: number
}
/** Shaded areas below the points: each city's counties in its shade, the selected ones outlined. */
export interface Heat {
  cities: readonly City[]
  shades: ReadonlyMap<number, Shade>
  chosen: ReadonlySet<number>
}

/** The initial view: the center of the states in degrees, and the zoom by 256 px tiles (projects-area 9). */
export const FIRST_VIEW = { centre: [-96.5, 38.4] as [lng: number, lat: number], zoom: 4 } as const
