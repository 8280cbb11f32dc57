/** What the tool tells people and models, in each language. */
export const texts = {
  en: {
    unknownUnit: (name: string) => `"${name}" is not a unit this tool knows.`,
    tryNear: (names: string) => `Did you mean ${names}? Units that work: km, mile, kg, lb, °C, °F, m², L, km/h, GB.`,
    tryOther: 'Use a common unit name or symbol, such as km, mile, kg, lb, °C, °F, m², L, km/h, GB.',
    notTheSame: (from: string, to: string) => `"${from}" and "${to}" do not measure the same kind of quantity.`,
    convertsTo: (from: string, names: string) => `"${from}" converts to units such as ${names}.`,
    sameKind: 'Give two units of the same kind, for example both lengths.',
    belowZero: (quantity: string) => `${quantity} is below absolute zero, so there is no such temperature.`,
    lowestTemperature: 'The lowest temperature is -273.15 °C (-459.67 °F, 0 K).',
    tooLarge: (quantity: string, to: string) => `${quantity} in "${to}" is larger than this tool can express.`,
    useLargerUnit: 'Choose a larger target unit.',
  },
  zh: {
    unknownUnit: (name: string) => `不认识单位“${name}”。`,
    tryNear: (names: string) =>
      `是不是想用 ${names}？可用的单位如：公里、英里、公斤、磅、摄氏度、华氏度、平方米、升、公里/小时、GB。`,
    tryOther: '请用常见的单位名或符号，如：公里、英里、公斤、磅、摄氏度、华氏度、平方米、升、公里/小时、GB。',
    notTheSame: (from: string, to: string) => `“${from}”和“${to}”不是同一类量，无法换算。`,
    convertsTo: (from: string, names: string) => `“${from}”可以换算成 ${names} 等单位。`,
    sameKind: '请给出同一类的两个单位，例如都是长度。',
    belowZero: (quantity: string) => `${quantity} 低于绝对零度，不存在这样的温度。`,
    lowestTemperature: '最低温度是 -273.15 °C（-459.67 °F，0 K）。',
    tooLarge: (quantity: string, to: string) => `${quantity} 换算成“${to}”后数值过大，无法表示。`,
    useLargerUnit: '请换一个更大的目标单位。',
  },
} as const;
