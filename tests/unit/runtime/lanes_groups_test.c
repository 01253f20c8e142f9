/* States in groups (ddr/lanes/groups.h): gangs take whoever runs; a value is found by its slot. And
 * members of sets, a gang at once (ddr/lanes/members.h).
 */
#include "ddr/lanes/groups.h"
#include "ddr/lanes/members.h"
#include "tests/unit/runtime/lanes_here.h"
#include "tests/unit/test.h"

enum { N_GROUPS = 5, N = N_GROUPS * DDR_LANES - 3 };

static uint8_t statuses[N];
static ddr_strands strands = {.status = statuses, .n_slots = N};

/* Pattern 0: all run; 1: all are stable; others: mixed, the more the higher. */
static void set_statuses(int pattern) {
  for (int slot = 0; slot < N; slot++) {
    const bool is_active = pattern == 0 || (pattern > 1 && slot * slot % (2 * pattern) >= pattern);
    statuses[slot] = is_active ? slot % 2 == 0 ? DDR_ACTIVE : DDR_NEW : DDR_STABLE;
  }
}

enum { N_PATTERNS = 12 };

/* In each step of the strands every fifth one dies, and every third one ends. */
static uint8_t after(int64_t slot) {
  return slot % 5 == 0 ? DDR_DEAD : slot % 3 == 0 ? DDR_STABLE : DDR_ACTIVE;
}

static ddr_vmask lanes_where(int64_t slot, uint8_t status) {
  ddr_vmask mask = {0};
  for (int lane = 0; lane < DDR_LANES; lane++) mask[lane] = after(slot + lane) == status ? -1 : 0;
  return mask;
}

static void who_runs_takes_a_step(void) {
  for (int pattern = 0; pattern < N_PATTERNS; pattern++) {
    const ddr_block block = {.strands = &strands, .begin = DDR_LANES, .end = N};
    uint8_t before[N];
    set_statuses(pattern);
    memcpy(before, statuses, sizeof before);
    for (int64_t slot = block.begin; slot < block.end; slot += DDR_LANES) {
      ddr_gang gang;
      const bool is_taken = ddr_gang_take_group(&gang, &block, slot);
      for (int lane = 0; lane < DDR_LANES; lane++) {
        const bool runs = slot + lane < N && before[slot + lane] <= DDR_NEW;
        CHECK(is_taken || !runs);
        if (is_taken) CHECK_EQ(gang.mask[lane], runs ? -1 : 0);
      }
      if (!is_taken) continue;
      const ddr_vmask began = gang.mask;
      ddr_gang_end(&gang, began & lanes_where(slot, DDR_DEAD), DDR_DEAD);
      ddr_gang_end(&gang, began & lanes_where(slot, DDR_STABLE), DDR_STABLE);
      ddr_gang_leave_group(&gang, began, &block, slot);
    }
    for (int slot = 0; slot < N; slot++) {
      const bool runs = slot >= block.begin && before[slot] <= DDR_NEW;
      CHECK_EQ(statuses[slot], runs ? after(slot) : before[slot]);
    }
  }
}

/* Where all go on, their new strands have run. */
static void all_go_on(void) {
  const ddr_block block = {.strands = &strands, .end = N};
  ddr_gang gang;
  set_statuses(0);
  CHECK(ddr_gang_take_group(&gang, &block, 0));
  ddr_gang_leave_group(&gang, gang.mask, &block, 0);
  for (int slot = 0; slot < DDR_LANES; slot++) CHECK_EQ(statuses[slot], DDR_ACTIVE);
  CHECK_EQ(statuses[DDR_LANES + 1], DDR_NEW);
}

/* Where all end together, none is dead, and no strand beside the group is told so. */
static void all_end(void) {
  const ddr_block block = {.strands = &strands, .end = N};
  for (int n_dead = 0; n_dead <= 1; n_dead++) {
    ddr_gang gang;
    ddr_vmask dies = {0};
    set_statuses(0);
    CHECK(ddr_gang_take_group(&gang, &block, 0));
    const ddr_vmask began = gang.mask;
    dies[1] = -n_dead;
    ddr_gang_end(&gang, dies, DDR_DEAD);
    ddr_gang_end(&gang, began & ~dies, DDR_STABLE);
    ddr_gang_leave_group(&gang, began, &block, 0);
    for (int slot = 0; slot < DDR_LANES; slot++)
      CHECK_EQ(statuses[slot], slot == 1 && n_dead ? DDR_DEAD : DDR_STABLE);
    CHECK_EQ(statuses[DDR_LANES], DDR_ACTIVE);
  }
}

/* Values of single strands, and of those in some slots beside each other. */
static void outputs_are_found(void) {
  ddr_vreal reals[N_GROUPS];
  ddr_vmask truths[N_GROUPS];
  for (int slot = 0; slot < N; slot++) {
    ddr_group_put_real(&reals[ddr_group_of(slot)], ddr_lane_of(slot), (ddr_real)(3 * slot));
    ddr_group_put_bool(&truths[ddr_group_of(slot)], ddr_lane_of(slot), slot % 3 == 0);
  }
  for (int begin = 0; begin < N; begin++)
    for (int end = begin + 1; end <= N; end++) {
      ddr_real real[2 * N] = {0};
      bool is_so[N];
      for (int slot = begin; slot < end;) {
        const ddr_part part = ddr_part_of_group(slot, end);
        ddr_part_gather_real(part, &reals[ddr_group_of(slot)], &real[2 * (slot - begin)], 2);
        ddr_part_gather_bool(part, &truths[ddr_group_of(slot)], &is_so[slot - begin], 1);
        slot += part.n;
      }
      for (int slot = begin; slot < end; slot++) {
        CHECK_EQ(real[2 * (slot - begin)], 3 * slot);
        CHECK_EQ(real[2 * (slot - begin) + 1], 0);
        CHECK_EQ(is_so[slot - begin], slot % 3 == 0);
      }
    }
}

/* A group whose strands are stable or dead is left alone; else one strand is found in any lane. */
static void few_are_found(void) {
  const ddr_block block = {.strands = &strands, .end = N};
  ddr_gang gang;
  for (int slot = 0; slot < DDR_LANES; slot++) statuses[slot] = slot % 3 ? DDR_STABLE : DDR_DEAD;
  CHECK(!ddr_gang_take_group(&gang, &block, 0));
  for (int one = 0; one < DDR_LANES; one++) {
    const uint8_t ended = statuses[one];
    statuses[one] = one % 2 ? DDR_ACTIVE : DDR_NEW;
    CHECK(ddr_gang_take_group(&gang, &block, 0));
    for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(gang.mask[lane], lane == one ? -1 : 0);
    statuses[one] = ended;
  }
}

/* One new strand of a whole group is found in any lane; a part of a group is always looked through.
 */
static void new_ones_are_found(void) {
  const ddr_block block = {.strands = &strands, .end = N};
  const int64_t last = (int64_t)DDR_LANES * (N_GROUPS - 1);
  for (int slot = 0; slot < N; slot++) statuses[slot] = slot % 4 == 1 ? DDR_DEAD : DDR_STABLE;
  CHECK(ddr_group_begins(&block, last) && ddr_group_end(&block, last) == N);
  CHECK(!ddr_group_begins(&block, 0) && ddr_group_end(&block, 0) == DDR_LANES);
  for (int one = 0; one < DDR_LANES; one++) {
    const uint8_t ended = statuses[one];
    statuses[one] = DDR_ACTIVE;
    CHECK(!ddr_group_begins(&block, 0));
    statuses[one] = DDR_NEW;
    CHECK(ddr_group_begins(&block, 0));
    statuses[one] = ended;
  }
}

/* Of those that made the step: who became stable, not who died. */
static void who_ends_is_told(void) {
  const ddr_block block = {.strands = &strands, .end = N};
  ddr_gang gang;
  set_statuses(0);
  statuses[3] = DDR_STABLE;
  CHECK(ddr_gang_take_group(&gang, &block, 0));
  const ddr_vmask began = gang.mask;
  CHECK_EQ(ddr_group_stable(&gang, began), 0);
  ddr_gang_end(&gang, began & lanes_where(0, DDR_DEAD), DDR_DEAD);
  ddr_gang_end(&gang, began & lanes_where(0, DDR_STABLE), DDR_STABLE);
  const ddr_lane_set ended = ddr_group_stable(&gang, began);
  for (int lane = 0; lane < DDR_LANES; lane++)
    CHECK_EQ(ended >> lane & 1, lane != 3 && after(lane) == DDR_STABLE);
  ddr_gang_number(&gang, DDR_LANES);
  for (int lane = 0; lane < DDR_LANES; lane++) CHECK_EQ(gang.slot[lane], DDR_LANES + lane);
}

typedef struct Group {
  ddr_vint i;
  ddr_vreal x;
  ddr_vmask is_odd;
} Group;

static Group groups[N_GROUPS];

static void fill(void) {
  for (int slot = 0; slot < N; slot++) {
    Group *group = &groups[slot / DDR_LANES];
    const int lane = slot % DDR_LANES;
    group->i[lane] = slot;
    group->x[lane] = (ddr_real)slot / 2;
    group->is_odd[lane] = slot % 2 == 1 ? -1 : 0;
  }
}

static void check_values(const int64_t *at) {
  const ddr_vint i = ddr_vint_of_groups(&groups->i, sizeof *groups, at);
  const ddr_vreal x = ddr_vreal_of_groups(&groups->x, sizeof *groups, at);
  const ddr_vmask is_odd = ddr_vbool_of_groups(&groups->is_odd, sizeof *groups, at);
  for (int lane = 0; lane < DDR_LANES; lane++) {
    CHECK_EQ(i[lane], at[lane]);
    CHECK_NEAR(x[lane], (double)at[lane] / 2, 0);
    CHECK_EQ(is_odd[lane], at[lane] % 2 == 1 ? -1 : 0);
  }
}

/* The members of a set, and their values. */
static void check_members(ddr_strand_set set) {
  int64_t slot = 0, next = 0;
  int n_left = 0;
  for (int k = 0; k < N; k++) n_left += ddr_strand_is(&strands, k, set);
  for (; n_left >= DDR_LANES; n_left -= DDR_LANES) {
    int64_t at[DDR_LANES];
    slot = ddr_next_members(&strands, slot, set, at);
    for (int lane = 0; lane < DDR_LANES; lane++) {
      next = ddr_next_member(&strands, next, set);
      CHECK_EQ(at[lane], next++);
    }
    CHECK_EQ(slot, next);
    check_values(at);
  }
}

static void members_are_found_in_order(void) {
  fill();
  for (int pattern = 0; pattern < N_PATTERNS; pattern++) {
    set_statuses(pattern);
    check_members(DDR_SET_ACTIVE);
    check_members(DDR_SET_STABLE);
  }
}

int main(void) {
  if (!lanes_are_here()) return 77;
  RUN(who_runs_takes_a_step);
  RUN(all_go_on);
  RUN(all_end);
  RUN(outputs_are_found);
  RUN(few_are_found);
  RUN(new_ones_are_found);
  RUN(who_ends_is_told);
  RUN(members_are_found_in_order);
  return test_result();
}
