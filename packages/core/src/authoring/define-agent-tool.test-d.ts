import { describe, expectTypeOf, it } from 'vitest';
import { z } from 'zod';
import { contentParts } from './content-parts.ts';
import { defineAgentTool } from './define-agent-tool.ts';
import { defineToken } from './define-token.ts';
import { failure } from './failure.ts';
import { success } from './success.ts';

interface WeatherConfig {
  readonly apiKey: string;
}

describe('defineAgentTool', () => {
  it('takes an explicit input type beside a Zod schema', () => {
    defineAgentTool<{ city: string }>({
      description: '查询城市的实时天气',
      inputSchema: z.object({ city: z.string().min(1) }),
      requiresApproval: 'never',
      async execute({ city }) {
        expectTypeOf(city).toEqualTypeOf<string>();
        return city;
      },
    });
  });

  it('infers the input, defaults filled in, from a Zod schema', () => {
    defineAgentTool({
      description: 'x',
      inputSchema: z.object({ city: z.string(), days: z.number().default(3), unit: z.enum(['c', 'f']).optional() }),
      execute(input, context) {
        expectTypeOf(input).toEqualTypeOf<{ city: string; days: number; unit?: 'c' | 'f' | undefined }>();
        expectTypeOf(context.config).toEqualTypeOf<unknown>();
        return input.days;
      },
    });
  });

  it('gives free input without a type or with a JSON Schema', () => {
    defineAgentTool({
      description: '把文本翻译成指定语言',
      alwaysLoaded: true,
      execute: async (input) => {
        expectTypeOf(input).toBeObject();
        return input.anything.goes as string;
      },
    });
    defineAgentTool({
      description: 'Synchronize lottery draws',
      requiresApproval: 'always',
      inputSchema: { type: 'object', properties: {} },
      execute: async (_input, toolContext) => {
        expectTypeOf(toolContext.config).toEqualTypeOf<unknown>();
        return null;
      },
    });
  });

  it('types config through withConfig, with and without an input type', () => {
    defineAgentTool.withConfig<WeatherConfig>()<{ city: string }>({
      description: '查询天气',
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      execute({ city }, { config }) {
        expectTypeOf(config).toEqualTypeOf<WeatherConfig>();
        expectTypeOf(city).toEqualTypeOf<string>();
        return config.apiKey + city;
      },
    });
    defineAgentTool.withConfig<WeatherConfig>()({
      description: '查询天气',
      inputSchema: z.object({ city: z.string() }),
      execute({ city }, { config }) {
        expectTypeOf(config).toEqualTypeOf<WeatherConfig>();
        expectTypeOf(city).toEqualTypeOf<string>();
        return 1;
      },
    });
  });

  it('takes three explicit types', () => {
    defineAgentTool<{ city: string }, number, WeatherConfig>({
      description: 'x',
      execute({ city }, { config }) {
        expectTypeOf(config).toEqualTypeOf<WeatherConfig>();
        return city.length;
      },
    });
    defineAgentTool<{ city: string }, number>({
      description: 'x',
      // @ts-expect-error the result type was said to be a number
      execute: ({ city }) => city,
    });
  });

  it('refuses unknown values and a missing description', () => {
    // @ts-expect-error description is required
    defineAgentTool({ execute: () => 1 });
    defineAgentTool({
      description: 'x',
      // @ts-expect-error not an approval level
      requiresApproval: 'sometimes',
      execute: () => 1,
    });
  });

  it('declares the dangerous tools of a platform', () => {
    defineAgentTool({
      description: '踢出群成员',
      platforms: ['icqq'],
      scopes: ['group'],
      permissions: ['role(master)'],
      risk: 'dangerous',
      riskCategory: 'member',
      execute: () => 'ok',
    });
  });
});

interface TestClient {
  kick(userId: string): Promise<void>;
}

declare module './adapter-clients.ts' {
  interface AdapterClients {
    testPlatform: TestClient;
  }
}

describe('the context of a tool', () => {
  it('types $client by the one literal in platforms', () => {
    defineAgentTool({
      description: 'x',
      platforms: ['testPlatform'],
      execute(_input, { $client }) {
        expectTypeOf($client).toEqualTypeOf<TestClient>();
        return 1;
      },
    });
    defineAgentTool({
      description: 'x',
      platforms: ['testPlatform'],
      inputSchema: z.object({ userId: z.string() }),
      execute: async ({ userId }, { $client, config }) => {
        expectTypeOf($client).toEqualTypeOf<TestClient>();
        expectTypeOf(config).toEqualTypeOf<unknown>();
        await $client.kick(userId);
        return 1;
      },
    });
    defineAgentTool.withConfig<WeatherConfig>()({
      description: 'x',
      platforms: ['testPlatform'],
      execute(_input, { $client, config }) {
        expectTypeOf($client).toEqualTypeOf<TestClient>();
        expectTypeOf(config).toEqualTypeOf<WeatherConfig>();
        return 1;
      },
    });
  });

  it('leaves $client unknown for several platforms, for none, and for one that no adapter declares', () => {
    const platforms: string[] = ['testPlatform'];
    defineAgentTool({
      description: 'x',
      platforms: ['testPlatform', 'other'],
      execute: (_input, { $client }) => expectTypeOf($client).toEqualTypeOf<unknown>(),
    });
    defineAgentTool({
      description: 'x',
      execute: (_input, { $client }) => expectTypeOf($client).toEqualTypeOf<unknown>(),
    });
    defineAgentTool({
      description: 'x',
      platforms: ['other'],
      execute: (_input, { $client }) => expectTypeOf($client).toEqualTypeOf<unknown>(),
    });
    defineAgentTool({
      description: 'x',
      platforms,
      execute: (_input, { $client }) => expectTypeOf($client).toEqualTypeOf<unknown>(),
    });
    defineAgentTool<{ city: string }, number, WeatherConfig>({
      description: 'x',
      platforms: ['testPlatform'],
      execute({ city }, { $client, config }) {
        expectTypeOf($client).toEqualTypeOf<unknown>();
        expectTypeOf(config).toEqualTypeOf<WeatherConfig>();
        return city.length;
      },
    });
  });

  it('ties services to their tokens', () => {
    const token = defineToken<{ sync(): Promise<number> }>('lottery.db');
    defineAgentTool({
      description: 'x',
      uses: [token],
      execute(_input, { use, question }) {
        expectTypeOf(use(token)).toEqualTypeOf<{ sync(): Promise<number> }>();
        expectTypeOf(question).toExtend<((question: { text: string }) => Promise<unknown>) | undefined>();
        return use(token).sync();
      },
    });
  });

  it('takes what success, failure and contentParts return', () => {
    defineAgentTool<{ city: string }, number>({
      description: 'x',
      execute: ({ city }) =>
        city === '' ? failure({ error_type: 'INVALID_ARGUMENTS', message: 'no city' }) : success(1),
    });
    defineAgentTool({ description: 'x', execute: () => contentParts([{ type: 'text', text: 'x' }]) });
    // @ts-expect-error a tool cannot claim the time limit
    failure({ error_type: 'TIMEOUT', message: 'slow' });
    // @ts-expect-error an image needs its data
    contentParts([{ type: 'image', mediaType: 'image/png' }]);
  });
});
