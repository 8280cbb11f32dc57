import { defineAgentTool } from 'baigong';
import { z } from 'zod';

export default defineAgentTool({
  description:
    '换算单位：长度、重量、温度、面积、体积、时间、速度、数据量、能量等。Convert a quantity to another unit. Use when the user asks how much something is in a different unit.',
  summary: '单位换算 Convert units (公里↔mile, 斤↔kg, °C↔°F)',
  category: 'calculation',
  tags: ['unit', 'convert', 'measurement', '单位', '换算', '度量衡'],
  examples: [
    '5公里是多少英里',
    '37摄氏度等于多少华氏度',
    '3斤是几公斤',
    'How many feet is 180 cm?',
    'convert 2 acres to 亩',
  ],
  inputSchema: z.object({
    value: z
      .number()
      .describe('数量 The amount to convert, without its unit')
      .meta({ examples: [5, 37, 2.5] }),
    from: z
      .string()
      .min(1)
      .max(50)
      .describe('原单位 Unit of the value: name or symbol, Chinese or English. gallon, pint and ton are US units')
      .meta({ examples: ['km', '摄氏度', '斤'] }),
    to: z
      .string()
      .min(1)
      .max(50)
      .describe('目标单位 Unit to convert to, of the same kind as `from`')
      .meta({ examples: ['mile', '°F', '公斤'] }),
  }),
  returns: 'The converted value, its unit, and the equation as text',
  requiresApproval: 'never',
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
  async execute(input, { locale }) {
    // mathjs takes a second to load, which the start of the project need not wait for.
    const { convertUnits } = await import('./convert-units.ts');
    return convertUnits(input, locale);
  },
});
