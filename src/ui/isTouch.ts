/** True where a finger chooses: there, the system's own lists are larger and known, and shortcuts have no keys. */
export const isTouch = (): boolean => matchMedia('(hover: none) and (pointer: coarse)').matches
