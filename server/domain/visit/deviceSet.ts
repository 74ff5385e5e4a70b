/**
 * Sets of devices in bytes (screens-visitation.md, Counting): a sorted list while small, then a HyperLogLog sketch.
 * A device is 48 bits of a hash, so its own bits choose its register and its rank.
 * Any two forms can be united, and the order and number of unions never change the result.
 */

/** The most devices that a leaf, and a roll-up, store as a list. */
export const LEAF_MOST = 8192
export const ROLLUP_MOST = 2048

/** Two standard errors of an estimate, as a share. */
export const ESTIMATE_ERROR = 0.006

const INDEX_BITS = 17
const REGISTERS = 2 ** INDEX_BITS
/** A device's bits beyond its index, and the rank of a device in which they are all zero. */
const RANK_BITS = 48 - INDEX_BITS
const HIGHEST = RANK_BITS + 1
/** Stored forms: a list (six bytes a device), a sparse sketch (three bytes a register), a dense one (six bits). */
const LIST = 1
const SPARSE = 2
const DENSE = 3
/** In memory only: one byte for each register, then how many have each rank, so that a union starts with a copy. */
const OPEN = 4
const DENSE_BYTES = (REGISTERS * 6) / 8
/** A sparse sketch with more registers would be longer than a dense one. */
const SPARSE_MOST = DENSE_BYTES / 3
/** Reading a sparse sketch with more registers takes longer than copying all of them. */
const OPEN_ABOVE = 8192
const LOW = 2 ** 24

/** A set in memory: its devices in order, or the registers of its sketch. */
export type DeviceSet = { readonly devices: Float64Array } | { readonly registers: Uint8Array }

/** The number of devices in a set: `error` is two standard errors as a share, 0 for an exact number. */
export interface SetSize {
  unique: number
  exact: boolean
  error: number
}

/** The set of these devices; duplicates are allowed. */
export function deviceSet(devices: Iterable<number>): DeviceSet {
  return { devices: distinct(Float64Array.from(devices)) }
}

/** Reads a set from its bytes. */
export function readSet(bytes: Uint8Array): DeviceSet {
  if (bytes[0] === LIST) return { devices: devicesIn(bytes) }
  const registers = new Uint8Array(REGISTERS)
  raiseTo(registers, bytes)
  return { registers }
}

/** True if a set in bytes lists its devices. */
export const isList = (bytes: Uint8Array): boolean => bytes[0] === LIST

/** How many devices these sets list, including duplicates; Infinity if one is a sketch. */
export const devicesListed = (sets: readonly Uint8Array[]): number =>
  sets.reduce((sum, bytes) => sum + (isList(bytes) ? (bytes.length - 1) / 6 : Number.POSITIVE_INFINITY), 0)

/** The bytes of a set: a list of at most `most` devices, or the shorter form of its sketch. */
export function bytesOf(set: DeviceSet, most: number): Uint8Array {
  if ('devices' in set && set.devices.length <= most) return listBytes(set.devices)
  return sketchBytes(registersOf(set))
}

/** The set as a sketch, so that its size is an estimate whatever its form was. */
export const sketchOf = (set: DeviceSet): DeviceSet => ({ registers: registersOf(set) })

/** The union of sets of any form: exact while all of them are lists. */
export function union(sets: Iterable<DeviceSet>): DeviceSet {
  const all = new DeviceUnion()
  for (const set of sets) all.add(set)
  return all.set()
}

/** The union of sets in bytes. */
export function unionOfBytes(blobs: Iterable<Uint8Array>): DeviceSet {
  const all = new DeviceUnion()
  for (const bytes of blobs) all.addBytes(bytes)
  return all.set()
}

/** Builds the union of many sets without a copy of each sketch. */
export class DeviceUnion {
  readonly #lists: Float64Array[] = []
  #registers: Uint8Array | null = null

  add(set: DeviceSet): void {
    if ('devices' in set) this.#lists.push(set.devices)
    else if (this.#registers) for (let at = 0; at < REGISTERS; at++) raise(this.#registers, at, set.registers[at]!)
    else this.#registers = set.registers.slice()
  }

  addBytes(bytes: Uint8Array): void {
    if (bytes[0] === LIST) this.#lists.push(devicesIn(bytes))
    else {
      this.#registers ??= new Uint8Array(REGISTERS)
      raiseTo(this.#registers, bytes)
    }
  }

  /** The union so far; adding more sets doesn't change it. */
  set(): DeviceSet {
    if (this.#registers) {
      const registers = this.#registers.slice()
      for (const list of this.#lists) note(registers, list)
      return { registers }
    }
    const [only] = this.#lists
    if (only && this.#lists.length === 1) return { devices: only }
    const all = new Float64Array(this.#lists.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const list of this.#lists) {
      all.set(list, at)
      at += list.length
    }
    return { devices: distinct(all) }
  }
}

/** Collectors of devices, which take sets as bytes and single devices. */
type Collected = SketchUnion | DeviceCounter

/**
 * Builds a union as one sketch whatever the forms are, so that its size doesn't depend on how days are split.
 * Maintains the number of registers by rank, so that the size needs no pass over all of them.
 */
export class SketchUnion {
  readonly #registers = new Uint8Array(REGISTERS)
  readonly #counts = new Int32Array(HIGHEST + 1)
  constructor() {
    this.#counts[0] = REGISTERS
  }

  /** Adds a set, and adds it to another collector too. */
  addBytes(bytes: Uint8Array, also?: Collected): void {
    also?.addBytes(bytes)
    if (bytes[0] === LIST) this.#addList(bytes)
    else if (bytes[0] === SPARSE && this.#counts[0] === REGISTERS) this.#startSparse(bytes)
    else if (bytes[0] === SPARSE) this.#addSparse(bytes)
    else if (bytes[0] === DENSE) this.#addDense(bytes)
    else if (bytes[0] === OPEN && this.#counts[0] === REGISTERS) this.#startOpen(bytes)
    else if (bytes[0] === OPEN) for (let at = 0; at < REGISTERS; at++) this.#raise(at, bytes[at + 1]!)
    else throw unknownForm(bytes)
  }

  #addList(bytes: Uint8Array): void {
    const registers = this.#registers
    const counts = this.#counts
    for (let from = 1; from < bytes.length; from += 6) {
      const index = (bytes[from]! << 9) | (bytes[from + 1]! << 1) | (bytes[from + 2]! >> 7)
      const low = (bytes[from + 3]! << 16) | (bytes[from + 4]! << 8) | bytes[from + 5]!
      const rank = rankOf(bytes[from + 2]!, low)
      const before = registers[index]!
      if (rank <= before) continue
      registers[index] = rank
      counts[before]!--
      counts[rank]!++
    }
  }

  /** Starts with a sparse set, whose registers are distinct, without comparing. */
  #startSparse(bytes: Uint8Array): void {
    const registers = this.#registers
    const counts = this.#counts
    for (let from = 1; from < bytes.length; from += 3) {
      const value = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
      registers[value >> 6] = value & 63
      counts[value & 63]!++
    }
    counts[0]! -= (bytes.length - 1) / 3
  }

  #addSparse(bytes: Uint8Array): void {
    const registers = this.#registers
    const counts = this.#counts
    for (let from = 1; from < bytes.length; from += 3) {
      const value = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
      const rank = value & 63
      const index = value >> 6
      const before = registers[index]!
      if (rank <= before) continue
      registers[index] = rank
      counts[before]!--
      counts[rank]!++
    }
  }

  #addDense(bytes: Uint8Array): void {
    for (let at = 0, from = 1; at < REGISTERS; at += 4, from += 3) {
      const four = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
      if (four === 0) continue
      this.#raise(at, four >> 18)
      this.#raise(at + 1, (four >> 12) & 63)
      this.#raise(at + 2, (four >> 6) & 63)
      this.#raise(at + 3, four & 63)
    }
  }

  #startOpen(bytes: Uint8Array): void {
    this.#registers.set(bytes.subarray(1, 1 + REGISTERS))
    const { buffer, byteOffset, byteLength } = bytes
    const counts = new DataView(buffer, byteOffset + 1 + REGISTERS, byteLength - 1 - REGISTERS)
    for (let rank = 0; rank <= HIGHEST; rank++) this.#counts[rank] = counts.getInt32(rank * 4)
  }

  addSet(set: DeviceSet): void {
    if ('devices' in set) for (const device of set.devices) this.note(Math.floor(device / LOW), device % LOW)
    else for (let at = 0; at < REGISTERS; at++) this.#raise(at, set.registers[at]!)
  }

  /** Adds a device, given as its upper and lower 24 bits. */
  note(high: number, low: number): void {
    this.#raise(high >>> 7, rankOf(high, low))
  }

  #raise(index: number, rank: number): void {
    const before = this.#registers[index]!
    if (rank <= before) return
    this.#registers[index] = rank
    this.#counts[before]!--
    this.#counts[rank]!++
  }

  clear(): void {
    this.#registers.fill(0)
    this.#counts.fill(0)
    this.#counts[0] = REGISTERS
  }

  /** The union as the shorter form of its sketch. */
  bytes(): Uint8Array {
    const used = REGISTERS - this.#counts[0]!
    return used <= SPARSE_MOST ? sparseBytes(this.#registers, used) : denseBytes(this.#registers)
  }

  /** The union in the form that is fastest to add, for memory only. */
  quick(): Uint8Array {
    const used = REGISTERS - this.#counts[0]!
    if (used <= OPEN_ABOVE) return sparseBytes(this.#registers, used)
    const bytes = new Uint8Array(1 + REGISTERS + 4 * this.#counts.length)
    bytes[0] = OPEN
    bytes.set(this.#registers, 1)
    const counts = new DataView(bytes.buffer, 1 + REGISTERS)
    for (let rank = 0; rank <= HIGHEST; rank++) counts.setInt32(rank * 4, this.#counts[rank]!)
    return bytes
  }

  /** The union as a set, which later additions change. */
  set(): DeviceSet {
    return { registers: this.#registers }
  }

  size(): SetSize {
    return { unique: Math.round(estimateOf(this.#counts)), exact: false, error: ESTIMATE_ERROR }
  }
}

/** Counts distinct devices of lists with a hash table instead of sorting; a sketch turns the count into an estimate. */
export class DeviceCounter {
  #devices = new Float64Array()
  #mask = 0
  #size = 0
  #sketch: SketchUnion | null = null

  /** Clears it, with room for this many devices. */
  clear(most: number): void {
    this.#sketch = null
    this.#makeRoom(2 ** Math.ceil(Math.log2(Math.max(32, most * 2))))
  }

  #makeRoom(room: number): void {
    if (this.#devices.length < room) this.#devices = new Float64Array(room)
    // 0 is a valid device, so empty slots are negative.
    this.#devices.fill(-1, 0, room)
    this.#mask = room - 1
    this.#size = 0
  }

  /** Adds a set, and adds it to another collector too; a sketch turns the size into an estimate. */
  addBytes(bytes: Uint8Array, also?: Collected): void {
    if (bytes[0] !== LIST) {
      this.#sketch ??= new SketchUnion()
      this.#sketch.addBytes(bytes, also)
      return
    }
    for (let from = 1; from < bytes.length; from += 6) {
      const high = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
      const low = (bytes[from + 3]! << 16) | (bytes[from + 4]! << 8) | bytes[from + 5]!
      this.note(high, low)
      also?.note(high, low)
    }
  }

  /** Adds a device, given as its upper and lower 24 bits. */
  note(high: number, low: number): void {
    const devices = this.#devices
    const device = high * LOW + low
    let place = (Math.imul(low ^ Math.imul(high, 0x85ebca6b), 0x9e3779b1) >>> 8) & this.#mask
    for (;;) {
      const there = devices[place]!
      if (there === device) return
      if (there === -1) break
      place = (place + 1) & this.#mask
    }
    devices[place] = device
    this.#size++
    // A concurrent batch may bring more devices than expected, and probing a full table would never end.
    if (this.#size * 4 > this.#mask * 3) this.#grow()
  }

  #grow(): void {
    const seen = this.#devices.slice(0, this.#mask + 1)
    this.#makeRoom(seen.length * 2)
    for (const device of seen) if (device !== -1) this.note(Math.floor(device / LOW), device % LOW)
  }

  size(): SetSize {
    const sketch = this.#sketch
    if (!sketch) return { unique: this.#size, exact: true, error: 0 }
    for (let place = 0; place <= this.#mask; place++) {
      const device = this.#devices[place]!
      if (device !== -1) sketch.note(Math.floor(device / LOW), device % LOW)
    }
    return sketch.size()
  }
}

/** The number of devices in a set. */
export function sizeOf(set: DeviceSet): SetSize {
  if ('devices' in set) return { unique: set.devices.length, exact: true, error: 0 }
  return { unique: Math.round(estimate(set.registers)), exact: false, error: ESTIMATE_ERROR }
}

/** Adds devices to a set's bytes (null for an empty one); returns the new bytes, or null if it contained them all. */
export function withDevices(bytes: Uint8Array | null, added: Iterable<number>, most: number): Uint8Array | null {
  const fresh = distinct(Float64Array.from(added))
  if (!bytes || bytes[0] === LIST) {
    const known = bytes ? devicesIn(bytes) : new Float64Array()
    const both = merged(known, fresh)
    return bytes && both.length === known.length ? null : bytesOf({ devices: both }, most)
  }
  const set = readSet(bytes) as { registers: Uint8Array }
  return note(set.registers, fresh) ? sketchBytes(set.registers) : null
}

/** Sorts devices in place and removes duplicates. */
function distinct(devices: Float64Array): Float64Array {
  devices.sort()
  let uniqueCount = 0
  for (let at = 0; at < devices.length; at++)
    if (uniqueCount === 0 || devices[at] !== devices[uniqueCount - 1]) devices[uniqueCount++] = devices[at]!
  return uniqueCount === devices.length ? devices : devices.slice(0, uniqueCount)
}

/** Merges two sorted lists. */
function merged(one: Float64Array, other: Float64Array): Float64Array {
  const both = new Float64Array(one.length + other.length)
  let [left, right, length] = [0, 0, 0]
  while (left < one.length && right < other.length) {
    const [a, b] = [one[left]!, other[right]!]
    both[length++] = Math.min(a, b)
    if (a <= b) left++
    if (b <= a) right++
  }
  while (left < one.length) both[length++] = one[left++]!
  while (right < other.length) both[length++] = other[right++]!
  return both.subarray(0, length)
}

function devicesIn(bytes: Uint8Array): Float64Array {
  const devices = new Float64Array((bytes.length - 1) / 6)
  for (let at = 0, from = 1; at < devices.length; at++, from += 6) {
    const high = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
    const low = (bytes[from + 3]! << 16) | (bytes[from + 4]! << 8) | bytes[from + 5]!
    devices[at] = high * LOW + low
  }
  return devices
}

function listBytes(devices: Float64Array): Uint8Array {
  const bytes = new Uint8Array(1 + devices.length * 6)
  bytes[0] = LIST
  for (let at = 0, to = 1; at < devices.length; at++, to += 6) {
    const high = Math.floor(devices[at]! / LOW)
    const low = devices[at]! % LOW
    bytes[to] = high >> 16
    bytes[to + 1] = high >> 8
    bytes[to + 2] = high
    bytes[to + 3] = low >> 16
    bytes[to + 4] = low >> 8
    bytes[to + 5] = low
  }
  return bytes
}

function sketchBytes(registers: Uint8Array): Uint8Array {
  let used = 0
  for (let at = 0; at < REGISTERS; at++) if (registers[at] !== 0) used++
  return used <= SPARSE_MOST ? sparseBytes(registers, used) : denseBytes(registers)
}

function sparseBytes(registers: Uint8Array, used: number): Uint8Array {
  const bytes = new Uint8Array(1 + used * 3)
  bytes[0] = SPARSE
  for (let at = 0, to = 1; at < REGISTERS; at++) {
    if (registers[at] === 0) continue
    const value = (at << 6) | registers[at]!
    bytes[to++] = value >> 16
    bytes[to++] = value >> 8
    bytes[to++] = value
  }
  return bytes
}

function denseBytes(registers: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(1 + DENSE_BYTES)
  bytes[0] = DENSE
  for (let at = 0, to = 1; at < REGISTERS; at += 4) {
    const four = (registers[at]! << 18) | (registers[at + 1]! << 12) | (registers[at + 2]! << 6) | registers[at + 3]!
    bytes[to++] = four >> 16
    bytes[to++] = four >> 8
    bytes[to++] = four
  }
  return bytes
}

const registersOf = (set: DeviceSet): Uint8Array => {
  if ('registers' in set) return set.registers
  const registers = new Uint8Array(REGISTERS)
  note(registers, set.devices)
  return registers
}

/** Adds devices to registers; true if one of them rose. */
function note(registers: Uint8Array, devices: Float64Array): boolean {
  let rose = false
  for (let at = 0; at < devices.length; at++) {
    const high = Math.floor(devices[at]! / LOW)
    const index = high >>> 7
    const rank = rankOf(high, devices[at]! % LOW)
    if (rank <= registers[index]!) continue
    registers[index] = rank
    rose = true
  }
  return rose
}

// The bits beyond the index number 31, so their leading zeros in 32 bits are the rank, from 1 to 32.
/** The rank of a device, given as its upper and lower 24 bits. */
const rankOf = (high: number, low: number): number => Math.clz32(((high & 127) << 24) | low)

function raise(registers: Uint8Array, index: number, rank: number): void {
  if (rank > registers[index]!) registers[index] = rank
}

const unknownForm = (bytes: Uint8Array) => new Error(`A set of devices has the unknown form ${bytes[0]}`)

/** Raises registers to those of a sketch's bytes. */
function raiseTo(registers: Uint8Array, bytes: Uint8Array): void {
  if (bytes[0] === SPARSE) {
    for (let from = 1; from < bytes.length; from += 3) {
      const value = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
      raise(registers, value >> 6, value & 63)
    }
    return
  }
  if (bytes[0] === OPEN) {
    for (let at = 0; at < REGISTERS; at++) raise(registers, at, bytes[at + 1]!)
    return
  }
  if (bytes[0] !== DENSE) throw unknownForm(bytes)
  for (let at = 0, from = 1; at < REGISTERS; at += 4, from += 3) {
    const four = (bytes[from]! << 16) | (bytes[from + 1]! << 8) | bytes[from + 2]!
    raise(registers, at, four >> 18)
    raise(registers, at + 1, (four >> 12) & 63)
    raise(registers, at + 2, (four >> 6) & 63)
    raise(registers, at + 3, four & 63)
  }
}

/** Ertl's improved estimator, which needs no correction for small or large numbers. */
function estimate(registers: Uint8Array): number {
  const counts = new Int32Array(HIGHEST + 1)
  for (let at = 0; at < REGISTERS; at++) counts[registers[at]!]!++
  return estimateOf(counts)
}

/** The same estimate from the number of registers by rank. */
function estimateOf(counts: Int32Array): number {
  let sum = REGISTERS * tau(1 - counts[HIGHEST]! / REGISTERS)
  for (let rank = RANK_BITS; rank >= 1; rank--) sum = (sum + counts[rank]!) / 2
  sum += REGISTERS * sigma(counts[0]! / REGISTERS)
  return REGISTERS ** 2 / (2 * Math.LN2 * sum)
}

/** The estimator's term for empty registers. */
function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY
  let [power, factor, sum, before] = [share, 1, share, -1]
  while (sum !== before) {
    before = sum
    power *= power
    sum += power * factor
    factor *= 2
  }
  return sum
}

/** The estimator's term for full registers. */
function tau(share: number): number {
  if (share === 0 || share === 1) return 0
  let [power, factor, sum, before] = [share, 1, 1 - share, -1]
  while (sum !== before) {
    before = sum
    power = Math.sqrt(power)
    factor /= 2
    sum -= (1 - power) ** 2 * factor
  }
  return sum / 3
}
