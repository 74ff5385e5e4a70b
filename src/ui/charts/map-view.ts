/** Points are drawn as clusters up to this zoom and one by one beyond it (projects-area 9). */
export const CLUSTERED_TO = 8
/** Where a map begins: the centre of the states in degrees, and the zoom by 256 px tiles (projects-area 9). */
export const FIRST_VIEW = { centre: [-96.5, 38.4] as [lng: number, lat: number], zoom: 4 } as const
