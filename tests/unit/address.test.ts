import { describe, expect, test } from 'vitest'
import { isZip, normalizeAddress, parseAddress, stateCode } from '../../contract/address.ts'
import { checkRows } from './rows.ts'

describe('an address is compared', () => {
  test('as the same in any spelling', () => {
    checkRows(
      [
        ['120 Main Street', '120  MAIN ST.'],
        ['120 N. Main St', '120 North Main Street'],
        ['45 N.E. Oak Avenue', '45 northeast oak ave'],
        ['9 Sunset Boulevard, Suite 4', '9 Sunset Blvd Ste #4'],
        ['9 Sunset Blvd Unit 4', '9 Sunset Blvd, Apt. 4'],
        ['9 Sunset Blvd #4', '9 SUNSET BLVD # 4'],
        ["12 O'Brien Parkway", '12 OBrien Pkwy'],
        ['77 Fifth Avenue', '77 5th Ave'],
        ['3 Peña Lane', '3 Pena Ln'],
        ['1-3 Harbor Plaza', '1 3 Harbor Plz'],
      ],
      ([one, other]) => {
        expect(normalizeAddress(one, '02108')).toBe(normalizeAddress(other, '02108-1234'))
      },
    )
  })
  test('as another where a part differs', () => {
    checkRows(
      [
        ['120 Main St', '121 Main St'],
        ['120 Main St', '120 Main Ave'],
        ['120 N Main St', '120 S Main St'],
        ['9 Sunset Blvd #4', '9 Sunset Blvd #5'],
      ],
      ([one, other]) => {
        expect(normalizeAddress(one, '')).not.toBe(normalizeAddress(other, ''))
      },
    )
  })
  test('with its ZIP, and not at all without letters and digits', () => {
    expect(normalizeAddress('120 Main St', '02108')).not.toBe(normalizeAddress('120 Main St', '02109'))
    expect([normalizeAddress(' – ', '02108'), normalizeAddress('', '02108')]).toEqual(['', ''])
  })
})

describe('an address is parsed', () => {
  test('into street, city, state and ZIP, in any order and notation', () => {
    checkRows(
      [
        ['120 Main Street, Boston, MA 02108', '120 Main Street', 'Boston', 'MA', '02108'],
        ['120 Main Street, Suite 4, Boston, MA 02108-1234, USA', '120 Main Street, Suite 4', 'Boston', 'MA', '02108'],
        ['120 Main St\nBoston, Massachusetts\n02108', '120 Main St', 'Boston', 'MA', '02108'],
        ['500 Fifth Ave, New York, New York 10110', '500 Fifth Ave', 'New York', 'NY', '10110'],
        ['12 Main St Boston MA 02108', '12 Main St', 'Boston', 'MA', '02108'],
        ['12 Main St NW Suite 4 Washington DC 20001', '12 Main St NW Suite 4', 'Washington', 'DC', '20001'],
        ['12 Main St, Boston', '12 Main St', 'Boston', '', ''],
        ['12 Main St, Suite 4', '12 Main St, Suite 4', '', '', ''],
        ['12 Virginia', '12 Virginia', '', '', ''],
        ['4000 Wisconsin Ave NW, Washington, D.C.', '4000 Wisconsin Ave NW', 'Washington', 'DC', ''],
        ['02108', '02108', '', '', ''],
        ['88 Elm St, 60601', '88 Elm St', '', '', '60601'],
        ['', '', '', '', ''],
      ],
      ([text, street, city, state, zip]) => {
        expect(parseAddress(text)).toEqual({ street, city, state, zip })
      },
    )
  })
})

test('a state is its code or its name, and a ZIP has five digits or nine', () => {
  expect(['ma', 'Massachusetts', 'D.C.', 'new  york', 'Ontario'].map(stateCode)).toEqual(['MA', 'MA', 'DC', 'NY', null])
  expect(['02108', '02108-1234', '0210', 'ABCDE'].map(isZip)).toEqual([true, true, false, false])
})
