import { describe, expect, it } from 'vitest';
import { isCityName } from './is-city-name.ts';

describe('isCityName', () => {
  it.each([
    '北京',
    'New York',
    'São Paulo',
    "L'Aquila",
    'St. Louis',
    'Washington, D.C.',
    'Springfield, Illinois',
    'Aix-en-Provence',
    'Москва',
    'कोलकाता',
    'Moon Township',
  ])('takes %s', (name) => {
    expect(isCityName(name)).toBe(true);
  });

  it.each([
    '',
    ' ',
    '.',
    '..',
    '../admin',
    'Paris/../..',
    'a..b',
    'Paris?format=3',
    'Paris#x',
    'Paris&x=1',
    '%2e%2e',
    'Paris\\x',
    '@github.com',
    'github.com',
    '~Eiffel Tower',
    ':help',
    'London:Paris',
    'London.png',
    '8.8.8.8',
    '10001',
    'http://localhost',
    'Moon',
    'MyLocation',
    'Paris\nHost: x',
    'Paris\u0000',
    'P'.repeat(81),
  ])('refuses %j', (name) => {
    expect(isCityName(name)).toBe(false);
  });
});
